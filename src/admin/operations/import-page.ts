// Import: the upload of an export, what was found in it, the questions, and the run with its report. Inspecting and importing are
// jobs, which the page shows while they run.

import { callName } from '../../actions/call/action.ts'
import type { AnswerOf } from '../../actions/call/call-action.ts'
import { activity } from '../../actions/activity/index.ts'
import { importActions } from '../../actions/imports/index.ts'
import { jobs } from '../../actions/jobs/index.ts'
import { Failure } from '../../base/failure.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { keepUploaded, maxStagedBytes } from '../../imports/staged-imports.ts'
import { mayRun } from '../navigation.ts'
import { get, notYours, start } from '../page.ts'
import { goAfter } from '../parts/done-notice.ts'
import { fileField, selectField } from '../parts/fields.ts'
import { faultsOf, postForm, type Work, formTaker } from '../parts/post-form.ts'
import { emptyState, pageHead, table } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { makerWord } from '../activity/record-parts.ts'
import { adminPaths, linkTo, withParameter } from '../paths.ts'
import { goTo } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { startedJob } from './job-parts.ts'
import { countsOf, reportPart } from './import-report.ts'
import { withUpload } from './upload.ts'
import { zones } from './zones.ts'
import type { MessageKey } from '../words.ts'

const purpose = 'import'
const sendPurpose = 'import-file'

/** GET; `job` names the job that the page waits for, `file` the uploaded file, and `id` a run. */
export const showImport = (visit: SignedIn): Promise<Reply> => importReply(visit)

async function importReply(visit: SignedIn, refused: Refused = {}): Promise<Reply> {
  if (!mayRun(visit, importActions.run)) throw notYours(visit)
  const { t, request } = visit
  const id = request.query.get('id')
  const job = request.query.get('job')?.slice(0, 100) || undefined
  const running = await startedJob(visit, (call) =>
    t(call === callName(importActions.inspect) ? 'operations.import_read' : 'operations.import_job_done'),
  )
  const body = html`${pageHead(t('shell.import'), t('operations.import_lead'))} ${running}
  ${id === null ? await stepPart(visit, job, refused) : await runPart(visit, id)}`
  return framedReply(visit, { title: t('shell.import'), body }, refused)
}

/** The part of the page for the job that it waits for: what was found, the report, or the first form. */
async function stepPart(visit: SignedIn, job: string | undefined, refused: Refused): Promise<HtmlValue> {
  const item = job === undefined ? undefined : (await get(visit, jobs.get, { id: job })).item
  if (item?.state === 'running') return undefined
  if (item?.state === 'done' && item.call === callName(importActions.inspect))
    return foundPart(visit, item.result as AnswerOf<typeof importActions.inspect.output>, refused)
  if (item?.state === 'done' && item.call === callName(importActions.run))
    return runPart(visit, (item.result as AnswerOf<typeof importActions.run.output>).run)
  return html`${await sendForm(visit, refused)} ${await runsPart(visit)}`
}

async function sendForm(visit: SignedIn, { failure }: Refused): Promise<Html> {
  const { t } = visit
  const { formats } = await get(visit, importActions.formats, {})
  return html`<section class="panel" aria-labelledby="send">
    <h2 id="send">${t('operations.import_send')}</h2>
    ${postForm(visit, {
      path: adminPaths.sendImport,
      purpose: sendPurpose,
      multipart: true,
      body: html`${fileField({
          name: 'file',
          label: t('operations.import_file'),
          help: t('operations.import_file_help', { formats: formats.map(({ name }) => formatName(visit, name)).join(', ') }),
          required: true,
          fault: faultsOf(t, failure, ['file']).at('file'),
        })}
        <p class="actions"><button class="primary">${t('operations.import_look')}</button></p>`,
    })}
  </section>`
}

/** The names by which people know the formats. */
const formatNames: Readonly<Record<string, MessageKey>> = {
  postern: 'operations.import_format_postern',
  wxr: 'operations.import_format_wxr',
  ghost: 'operations.import_format_ghost',
  csv: 'operations.import_format_csv',
  markdown: 'operations.import_format_markdown',
  rss: 'operations.import_format_rss',
}

function formatName({ t }: SignedIn, name: string): string {
  const key = formatNames[name]
  return key === undefined ? name : t(key)
}

/** POST of the file: it is kept, and looked at. */
export function takeImportFile(visit: SignedIn): Promise<Reply> {
  if (!mayRun(visit, importActions.run)) throw notYours(visit)
  return withUpload(
    visit,
    sendPurpose,
    async ({ files: [file] }) => {
      if (file === undefined)
        return importReply(visit, { failure: new Failure('invalid', visit.t('operations.import_choose'), { field: 'file' }) })
      await keepUploaded(visit.site.config.POSTERN_HOME, file, visit.now)
      const { job, failure } = await start(visit, importActions.inspect, { file: file.id })
      if (failure) return importReply(visit, { failure })
      return goTo(visit, jobPath(file.id, job))
    },
    { maxBytes: maxStagedBytes },
  )
}

const jobPath = (file: string, job: string | undefined): string =>
  withParameter(withParameter(adminPaths.import, 'file', file), 'job', job ?? '')

/** The questions, each with its choices. The first choice is the default. */
const questions = {
  media: {
    label: 'operations.import_media',
    choices: {
      fetch: 'operations.import_media_fetch',
      files: 'operations.import_media_files',
      none: 'operations.import_media_none',
    },
  },
  on_clash: {
    label: 'operations.import_on_clash',
    choices: {
      copy: 'operations.import_on_clash_copy',
      skip: 'operations.import_on_clash_skip',
      update: 'operations.import_on_clash_update',
    },
  },
  site: {
    label: 'operations.import_site',
    choices: {
      if_unset: 'operations.import_site_if_unset',
      always: 'operations.import_site_always',
      never: 'operations.import_site_never',
    },
  },
  status: {
    label: 'operations.import_status',
    choices: { as_is: 'operations.import_status_as_is', draft: 'operations.import_status_draft' },
  },
} as const satisfies Record<string, { readonly label: MessageKey; readonly choices: Readonly<Record<string, MessageKey>> }>

function foundPart(visit: SignedIn, found: AnswerOf<typeof importActions.inspect.output>, { fields, failure }: Refused): Html {
  const { t, request } = visit
  const file = request.query.get('file') ?? ''
  const faults = faultsOf(t, failure, ['time_zone', 'on_clash', 'media', 'site', 'status'])
  const { site, media, time_zone: zone } = found
  const hasSettings = Object.keys(found.settings).length > 0 || found.losses.some(({ group }) => group === 'setting')
  const hasClashes = (found.counts['clashes'] ?? 0) > 0
  const choice = (name: keyof typeof questions, left = Object.entries(questions[name].choices)) =>
    selectField({
      name,
      label: t(questions[name].label),
      value: fields?.get(name) ?? left[0]?.[0],
      choices: left.map(([value, label]) => ({ value, label: t(label) })),
      fault: faults.at(name),
    })
  const { skip, update } = questions.on_clash.choices
  const { always, never } = questions.site.choices
  const ownQuestions = html`${hasClashes && choice('on_clash', Object.entries({ update, skip }))}
  ${hasSettings && choice('site', Object.entries({ always, never }))}`
  const oldQuestions = html`${media.elsewhere > 0 && choice('media')} ${hasClashes && choice('on_clash')}
  ${hasSettings && choice('site')} ${choice('status')}`
  return html`<section class="panel" aria-labelledby="found">
      <h2 id="found">${site.title ?? site.key}</h2>
      <p>${t('operations.import_found', { format: formatName(visit, found.format), site: site.url ?? site.key })}</p>
      ${countsOf(visit, found)}
      ${media.count > 0 && html`<p>${t('operations.import_media_found', { here: media.in_files, elsewhere: media.elsewhere })}</p>`}
      ${media.asked > 0 && html`<p>${t('operations.import_media_asked', { asked: media.asked, reachable: media.reachable })}</p>`}
      ${postForm(visit, {
        path: adminPaths.import,
        purpose,
        hidden: { do: 'run', file },
        body: html`${
            zone.question &&
            selectField({
              name: 'time_zone',
              label: t('operations.import_time_zone'),
              value: fields?.get('time_zone') ?? zone.used,
              groups: zones(zone.used),
              help: zone.commonest_offset === null ? undefined : t('operations.import_offset', { offset: zone.commonest_offset }),
              fault: faults.at('time_zone'),
            })
          }
          ${found.format === 'postern' ? ownQuestions : oldQuestions}
          <p class="actions"><button class="primary">${t('operations.import_run')}</button></p>`,
      })}
    </section>
    ${reportPart(visit, found)}`
}

const runImport: Work = async (visit, fields) => {
  if (!mayRun(visit, importActions.run)) throw notYours(visit)
  const file = fields.get('file').slice(0, 26)
  const given = Object.fromEntries(
    (['time_zone', 'media', 'on_clash', 'site', 'status'] as const).flatMap((name) =>
      fields.has(name) ? [[name, fields.get(name)]] : [],
    ),
  )
  const { job, failure } = await start(visit, importActions.run, { file, ...given })
  return failure ?? goTo(visit, jobPath(file, job))
}

const undoImport: Work = async (visit, fields) => {
  const { job, failure } = await start(visit, activity.undo, { ids: [fields.get('activity').slice(0, 100)] })
  return failure ?? goAfter(visit, adminPaths.import, job, activity.undo)
}

/** Runs an import once more, with the file that is still here. */
const importAgain: Work = async (visit, fields) => {
  if (!mayRun(visit, importActions.run)) throw notYours(visit)
  const { item } = await get(visit, importActions.get, { id: fields.get('id').slice(0, 26) })
  const { job, failure } = await start(visit, importActions.run, { ...item.again })
  return failure ?? goTo(visit, jobPath('', job))
}

export const takeImportForm = formTaker(purpose, { run: runImport, again: importAgain, undo: undoImport }, importReply)

async function runPart(visit: SignedIn, id: string): Promise<Html> {
  const { t } = visit
  const { item } = await get(visit, importActions.get, { id })
  return html`<section class="panel" aria-labelledby="run">
      <h2 id="run">${item.file}</h2>
      <p>
        ${t.rich('operations.import_was', { source: item.source, at: shownTime(visit, item.created_at), by: makerWord(t, item.by) })}
      </p>
      ${countsOf(visit, item)} ${item.state === 'done' && !item.taken_back && resultLinks(visit)}
      ${item.taken_back && html`<p class="notice" role="note">${t('operations.import_taken_back')}</p>`}
      <p><a href="${item.addresses_url}" download>${t('operations.import_addresses')}</a></p>
      ${
        item.again !== null &&
        !item.taken_back &&
        (item.counts['media.failed'] ?? 0) > 0 &&
        postForm(visit, {
          path: adminPaths.import,
          purpose,
          hidden: { do: 'again', id: item.id },
          body: html`<p class="actions"><button>${t('operations.import_again')}</button></p>`,
        })
      }
      ${
        !item.taken_back &&
        postForm(visit, {
          path: adminPaths.import,
          purpose,
          hidden: { do: 'undo', activity: item.activity_id },
          body: html`<p class="actions"><button>${t('operations.import_undo')}</button></p>`,
        })
      }
    </section>
    ${reportPart(visit, item)}`
}

/** The next steps after an import: to look at what came. */
const resultLinks = ({ t, request }: SignedIn): Html =>
  html`<p class="actions">
    <a class="button primary" href="${linkTo(request, '/')}">${t('shell.view_site')}</a>
    <a class="button" href="${linkTo(request, adminPaths.content)}">${t('operations.import_see_content')}</a>
  </p>`

type RunItem = AnswerOf<typeof importActions.list.output>['items'][number]

async function runsPart(visit: SignedIn): Promise<Html> {
  const { t } = visit
  const { items } = await get(visit, importActions.list, { limit: 20 })
  if (items.length === 0) return emptyState(t('operations.import_none'), t('operations.import_none_next'))
  return html`<h2>${t('operations.import_runs')}</h2>
    ${runsTable(visit, items)}`
}

const runsTable = (visit: SignedIn, items: readonly RunItem[]): Html =>
  table(visit.t, {
    caption: visit.t('operations.import_runs'),
    rows: items,
    columns: [
      {
        label: visit.t('operations.import_file'),
        cell: ({ id, file }) =>
          html`<a href="${linkTo(visit.request, adminPaths.import)}?id=${encodeURIComponent(id)}">${file}</a>`,
      },
      { label: visit.t('operations.import_source'), cell: ({ source }) => source, wideOnly: true },
      {
        label: visit.t('operations.state'),
        cell: ({ state, taken_back: isBack }) => visit.t(isBack ? 'operations.import_undone' : `operations.job_${state}`),
      },
      { label: visit.t('operations.import_at'), cell: ({ created_at: at }) => shownTime(visit, at) },
    ],
  })
