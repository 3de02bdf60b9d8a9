// In the browser, on the page of a picture: a click sets its focus point, and a mark shows the point. The number fields do the same
// without script and for the keyboard. The form that crops goes by the point that is shown.

const frame = document.querySelector<HTMLElement>('#picture')
const image = frame?.querySelector('img')
const [across, down] = ['focus_x', 'focus_y'].map((name) => document.querySelector<HTMLInputElement>(`input[name="${name}"]`))
const [cropX, cropY] = ['at_x', 'at_y'].map((name) => document.querySelector<HTMLInputElement>(`input[name="${name}"]`))

if (frame && image && across && down) {
  const mark = document.createElement('span')
  mark.className = 'mark'
  frame.append(mark)
  const show = (): void => {
    mark.hidden = across.value === '' || down.value === ''
    mark.style.insetInlineStart = `${across.value}%`
    mark.style.insetBlockStart = `${down.value}%`
    if (cropX && cropY) [cropX.value, cropY.value] = [across.value, down.value]
  }
  frame.classList.add('choosing')
  frame.addEventListener('click', (event) => {
    const box = image.getBoundingClientRect()
    const percent = (at: number, from: number, length: number): string =>
      String(Math.round(Math.min(Math.max((at - from) / length, 0), 1) * 100))
    across.value = percent(event.clientX, box.left, box.width)
    down.value = percent(event.clientY, box.top, box.height)
    show()
  })
  for (const field of [across, down]) field.addEventListener('input', show)
  show()
}
