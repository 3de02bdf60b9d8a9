// Skills: the owner's instructions to assistants, as a list, and one form that creates or changes a skill.

import { skills } from '../../actions/classes/svc-skills/index.ts'
import { type SkillItem } from '../../actions/classes/svc-skills/skill-item.ts'
import { html, type Html, type HtmlValue } from '../../doors/html.ts'
import type { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import { goDone } from '../parts/done-notice.ts'
import { areaField, faultBox, textField } from '../parts/fields.ts'
import { csrfField, type Fields, readFields } from '../form.ts'
import { framed } from '../layout.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { pagerOf } from '../parts/pager.ts'
import { emptyState, pageHead } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { removalForm } from '../parts/removal-form.ts'
import { pageReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'

/** The skill to change, or the state after a refused form: the failure and the values that were filled in. */
interface View {
  readonly edited?: SkillItem
  readonly fields?: Fields
  readonly failure?: Failure
}

/** GET; `edit` names the skill to change. */
export async function showSkills(visit: SignedIn): Promise<Reply> {
  const slug = visit.request.query.get('edit')
  if (slug === null) return skillsReply(visit)
  const { item } = await get(visit, skills.get, { id: slug })
  return skillsReply(visit, { edited: item })
}

async function skillsReply(visit: SignedIn, view: View = {}): Promise<Reply> {
  const { request, t } = visit
  const { failure } = view
  const cursor = request.query.get('cursor')
  const { items, next_cursor: next } = await get(visit, skills.list, cursor === null ? {} : { cursor })
  const mayWrite = mayRun(visit, skills.put)
  const body = html`${pageHead(t('connections.skills_title'), t.rich('connections.skills_lead', { folder: html`<code>user-content/skills/</code>` }))}
  ${items.length === 0 && emptyState(t('connections.skills_empty'), t('connections.skills_empty_help'))}
  ${
    items.length > 0 &&
    html`<ul class="things">
      ${items.map((skill) => skillItem(visit, skill, mayWrite))}
    </ul>`
  }
  ${pagerOf(linkTo(request, adminPaths.skills), next, t)} ${mayWrite && skillForm(visit, view)}`
  return pageReply(visit, failure ? formStatus[failure.code] : 200, framed(visit, { title: t('connections.skills_title'), body }))
}

function skillItem(visit: SignedIn, { slug, when }: SkillItem, mayWrite: boolean): Html {
  const { request, t } = visit
  const actions = html`<p class="actions">
      <a
        class="button"
        href="${linkTo(request, adminPaths.skills)}?edit=${slug}#form"
        aria-label="${t('connections.edit_named', { name: slug })}"
        >${t('connections.edit')}</a
      >
    </p>
    ${removalForm(visit, {
      verb: t('connections.delete'),
      button: t('connections.delete_named', { name: slug }),
      id: slug,
      name: slug,
      consequence: t('connections.skill_delete_help'),
      path: adminPaths.deleteSkill,
      purpose: 'delete-skill',
    })}`
  return html`<li class="card">
    <h2>${slug}</h2>
    <p class="quiet">${when === '' ? t('connections.skill_without_when') : when}</p>
    ${mayWrite && actions}
  </li>`
}

function skillForm(visit: SignedIn, { edited, fields, failure }: View): Html {
  const { t } = visit
  const slug = fields?.has('revision') ? fields.get('slug') : edited?.slug
  const revision = fields?.get('revision') ?? String(edited?.revision ?? '')
  const known = ['slug', 'when', 'text'].includes(failure?.detail.field ?? '')
  const fault = (name: string) => (failure?.detail.field === name ? failure.message : undefined)
  const name: HtmlValue =
    slug === undefined
      ? textField({
          name: 'slug',
          label: t('connections.name'),
          value: fields?.get('slug'),
          help: t('connections.skill_name_help'),
          placeholder: t('connections.skill_name_example'),
          required: true,
          fault: fault('slug'),
        })
      : html`<input type="hidden" name="slug" value="${slug}" /><input type="hidden" name="revision" value="${revision}" />`
  return html`<section class="card" id="form" aria-labelledby="write">
    <h2 id="write">${slug === undefined ? t('connections.new_skill') : t('connections.change_skill', { name: slug })}</h2>
    ${faultBox(failure && !known ? sentenceOf(failure, t) : undefined)}
    <form method="post" action="${linkTo(visit.request, adminPaths.skills)}">
      ${csrfField(visit, 'skill')} ${name}
      ${textField({ name: 'when', label: t('connections.skill_when'), value: fields?.get('when') ?? edited?.when, placeholder: t('connections.skill_when_example'), fault: fault('when') })}
      ${areaField({ name: 'text', label: t('connections.skill_text'), value: fields?.get('text') ?? edited?.text, rows: 14, help: t('connections.markdown'), fault: fault('text') })}
      <p class="actions"><button class="primary">${t('connections.save')}</button></p>
    </form>
  </section>`
}

export async function saveSkill(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, 'skill')
  const input = { slug: fields.get('slug').trim(), when: fields.get('when'), text: fields.get('text') }
  const revision = fields.get('revision')
  const options = revision === '' ? {} : { ifRevision: Number(revision) }
  const { failure } = await run(visit, skills.put, input, options)
  return failure ? skillsReply(visit, { fields, failure }) : goDone(visit, adminPaths.skills, skills.put)
}

export async function deleteSkill(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, 'delete-skill')
  const { failure } = await run(visit, skills.delete, { id: fields.get('id') })
  return failure ? skillsReply(visit, { failure }) : goDone(visit, adminPaths.skills, skills.delete)
}
