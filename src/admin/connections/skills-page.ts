// Skills: the owner's instructions to assistants, as a list, and one form that creates or changes a skill.

import { type SkillItem, skillsDelete, skillsGet, skillsList, skillsPut } from '../../actions/classes/svc-skills.ts'
import { html, type Html, type HtmlValue } from '../../doors/html.ts'
import type { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import { areaField, doneBox, faultBox, textField } from '../parts/fields.ts'
import { csrfField, type Fields, readFields } from '../form.ts'
import { framed } from '../layout.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { pagerOf } from '../parts/pager.ts'
import { emptyState, pageHead } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { removalForm } from '../parts/removal-form.ts'
import { goTo, pageReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'

/** With a skill to change, or after a form that failed: its failure, and what was filled in. */
interface View {
  readonly edited?: SkillItem
  readonly fields?: Fields
  readonly failure?: Failure
}

const doneWords: Readonly<Record<string, string>> = { saved: 'Saved.', deleted: 'Deleted. SVC_Activity.undo restores it.' }

/** GET; `edit` names the skill to change. */
export async function showSkills(visit: SignedIn): Promise<Reply> {
  const slug = visit.request.query.get('edit')
  if (slug === null) return skillsReply(visit)
  const { item } = await get(visit, skillsGet, { id: slug })
  return skillsReply(visit, { edited: item })
}

async function skillsReply(visit: SignedIn, view: View = {}): Promise<Reply> {
  const { request } = visit
  const { failure } = view
  const cursor = request.query.get('cursor')
  const { items, next_cursor: next } = await get(visit, skillsList, cursor === null ? {} : { cursor })
  const mayWrite = mayRun(visit, skillsPut)
  const body = html`${pageHead('Skills', html`Instructions that assistants follow on certain occasions. Each skill is also a file in <code>user-content/skills/</code> that you can edit.`)}
  ${doneBox(doneWords[request.query.get('done') ?? ''])}
  ${items.length === 0 && emptyState('No skills yet', 'Write down how something is done here, and assistants do it that way.')}
  ${
    items.length > 0 &&
    html`<ul class="things">
      ${items.map((skill) => skillItem(visit, skill, mayWrite))}
    </ul>`
  }
  ${pagerOf(linkTo(request, adminPaths.skills), next)} ${mayWrite && skillForm(visit, view)}`
  return pageReply(visit, failure ? formStatus[failure.code] : 200, framed(visit, { title: 'Skills', body }))
}

function skillItem(visit: SignedIn, { slug, when }: SkillItem, mayWrite: boolean): Html {
  const { request } = visit
  const actions = html`<p class="actions">
      <a class="button" href="${linkTo(request, adminPaths.skills)}?edit=${slug}#form"
        >Edit<span class="unseen"> ${slug}</span></a
      >
    </p>
    ${removalForm(visit, {
      verb: 'Delete',
      id: slug,
      name: slug,
      consequence: 'Its file is deleted too.',
      path: adminPaths.deleteSkill,
      purpose: 'delete-skill',
    })}`
  return html`<li class="card">
    <h2>${slug}</h2>
    <p class="quiet">${when === '' ? 'It does not say when to read it.' : when}</p>
    ${mayWrite && actions}
  </li>`
}

function skillForm(visit: SignedIn, { edited, fields, failure }: View): Html {
  const slug = fields?.has('revision') ? fields.get('slug') : edited?.slug
  const revision = fields?.get('revision') ?? String(edited?.revision ?? '')
  const known = ['slug', 'when', 'text'].includes(failure?.detail.field ?? '')
  const fault = (name: string) => (failure?.detail.field === name ? failure.message : undefined)
  const name: HtmlValue =
    slug === undefined
      ? textField({
          name: 'slug',
          label: 'Name',
          value: fields?.get('slug'),
          help: 'Lower-case letters, digits and hyphens.',
          placeholder: 'house-style',
          required: true,
          fault: fault('slug'),
        })
      : html`<input type="hidden" name="slug" value="${slug}" /><input type="hidden" name="revision" value="${revision}" />`
  return html`<section class="card" id="form" aria-labelledby="write">
    <h2 id="write">${slug === undefined ? 'New skill' : `Change ${slug}`}</h2>
    ${faultBox(failure && !known ? sentenceOf(failure) : undefined)}
    <form method="post" action="${linkTo(visit.request, adminPaths.skills)}">
      ${csrfField(visit, 'skill')} ${name}
      ${textField({ name: 'when', label: 'When to read it', value: fields?.get('when') ?? edited?.when, placeholder: 'Before writing or changing a page', fault: fault('when') })}
      ${areaField({ name: 'text', label: 'What to do', value: fields?.get('text') ?? edited?.text, rows: 14, help: 'Markdown.', fault: fault('text') })}
      <p class="actions"><button class="primary">Save</button></p>
    </form>
  </section>`
}

/** POST */
export async function saveSkill(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, 'skill')
  const input = { slug: fields.get('slug').trim(), when: fields.get('when'), text: fields.get('text') }
  const revision = fields.get('revision')
  const options = /^\d{1,15}$/.test(revision) ? { ifRevision: Number(revision) } : {}
  const { failure } = await run(visit, skillsPut, input, options)
  return failure ? skillsReply(visit, { fields, failure }) : goTo(visit, `${adminPaths.skills}?done=saved`)
}

/** POST */
export async function deleteSkill(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, 'delete-skill')
  const { failure } = await run(visit, skillsDelete, { id: fields.get('id') })
  return failure ? skillsReply(visit, { failure }) : goTo(visit, `${adminPaths.skills}?done=deleted`)
}
