// Skills: the owner's instructions to assistants, as a list, and one form that creates or changes a skill.

import { skills } from '../../actions/skills/index.ts'
import { type SkillItem } from '../../actions/skills/skill-item.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { mayRun } from '../navigation.ts'
import { get } from '../page.ts'
import { declareForm, declaredForm } from '../parts/declared-form.ts'
import { goDone } from '../parts/done-notice.ts'
import { onItem, taking } from '../parts/form-input.ts'
import { pagerOf } from '../parts/pager.ts'
import { formTaker } from '../parts/post-form.ts'
import { removalForm } from '../parts/removal-form.ts'
import { emptyState, pageHead } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'

const form = declareForm(skills.put, { path: adminPaths.skills, button: 'connections.save' }, [
  {
    name: 'slug',
    label: 'connections.name',
    help: 'connections.skill_name_help',
    placeholder: 'connections.skill_name_example',
    required: true,
  },
  { name: 'when', label: 'connections.skill_when', placeholder: 'connections.skill_when_example' },
  { name: 'text', control: 'exact', label: 'connections.skill_text', rows: 14, help: 'connections.markdown' },
])

/** GET; `edit` names the skill to change. */
export async function showSkills(visit: SignedIn): Promise<Reply> {
  const slug = visit.request.query.get('edit')
  return skillsReply(visit, {}, slug === null ? undefined : (await get(visit, skills.get, { id: slug })).item)
}

async function skillsReply(visit: SignedIn, refused: Refused = {}, edited?: SkillItem): Promise<Reply> {
  const { request, t } = visit
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
  ${pagerOf(linkTo(request, adminPaths.skills), next, t)} ${mayWrite && skillForm(visit, refused, edited)}`
  return framedReply(visit, { title: t('connections.skills_title'), body }, refused)
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
    })}`
  return html`<li class="card">
    <h2>${slug}</h2>
    <p class="quiet">${when === '' ? t('connections.skill_without_when') : when}</p>
    ${mayWrite && actions}
  </li>`
}

function skillForm(visit: SignedIn, refused: Refused, edited: SkillItem | undefined): Html {
  const { t } = visit
  const { fields } = refused
  const slug = fields?.has('revision') ? fields.get('slug') : edited?.slug
  const known = slug === undefined ? {} : { slug, revision: fields?.get('revision') ?? edited?.revision }
  return html`<section class="card" id="form" aria-labelledby="write">
    <h2 id="write">${slug === undefined ? t('connections.new_skill') : t('connections.change_skill', { name: slug })}</h2>
    ${declaredForm(visit, form, { item: edited, refused, hidden: known, without: Object.keys(known) })}
  </section>`
}

export const saveSkill = formTaker(
  adminPaths.skills,
  taking(form, (visit) => goDone(visit, adminPaths.skills, skills.put)),
  skillsReply,
)

export const deleteSkill = formTaker(
  adminPaths.deleteSkill,
  onItem(skills.delete, (visit) => goDone(visit, adminPaths.skills, skills.delete)),
  skillsReply,
)
