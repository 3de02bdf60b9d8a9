// A button on each block of code that copies it. Without script, or without a clipboard, there is none.

const { copy, copied } = document.body.dataset
const shownMs = 2000

if (navigator.clipboard) {
  const status = document.createElement('p')
  status.className = 'unseen'
  status.setAttribute('role', 'status')
  document.body.append(status)
  for (const block of document.querySelectorAll('.text pre')) addButton(block, status)
}

function addButton(block, status) {
  const frame = document.createElement('div')
  const button = document.createElement('button')
  frame.className = 'code'
  button.className = 'copy'
  button.type = 'button'
  button.textContent = copy
  block.replaceWith(frame)
  frame.append(block, button)
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.textContent.replace(/\n$/, ''))
    button.textContent = status.textContent = copied
    setTimeout(() => (button.textContent = copy), shownMs)
  })
}
