// Charts as SVG, made on the server: the views and visitors of days as bars. The page has the same numbers as a table, which screen
// readers read instead.

import { html, type Html } from '../../doors/shared/html.ts'

/** A bar of the chart, with its words. */
export interface ChartBar {
  /** Below the bar, if there is room. */
  readonly label: string
  /** The words of the bar's tooltip. */
  readonly title: string
  readonly views: number
  readonly visitors: number
}

const width = 560
const height = 200
/** Room for the numbers at the start, and for the labels below. */
const start = 56
const bottom = 24
const top = 8
/** The most labels below the bars. */
const maxLabels = 5

/** @param numberText formats the numbers of the scale */
export function visitsChart(bars: readonly ChartBar[], label: string, numberText: (count: number) => string): Html {
  const most = niceMost(Math.max(0, ...bars.map(({ views, visitors }) => Math.max(views, visitors))))
  const room = height - top - bottom
  const step = (width - start) / Math.max(1, bars.length)
  const yOf = (count: number): number => round(top + room * (1 - count / most))
  const lines = [0, most / 2, most].map(
    (count) =>
      html`<line class="scale" x1="${start}" x2="${width}" y1="${yOf(count)}" y2="${yOf(count)}" />
        <text x="${start - 6}" y="${yOf(count) + 4}" text-anchor="end">${numberText(count)}</text>`,
  )
  const every = Math.ceil(bars.length / maxLabels)
  const columns = bars.map(({ label: word, title, views, visitors }, at) => {
    const x = start + at * step
    // From the last bar backwards, so that today has its label.
    const isLabelled = (bars.length - 1 - at) % every === 0
    return html`<g>
      <title>${title}</title>
      <rect class="around" x="${round(x)}" y="${top}" width="${round(step)}" height="${room}" />
      <rect
        class="all-views"
        x="${round(x + step * 0.12)}"
        y="${yOf(views)}"
        width="${round(step * 0.76)}"
        height="${round(room + top - yOf(views))}"
      />
      <rect
        class="all-visitors"
        x="${round(x + step * 0.12)}"
        y="${yOf(visitors)}"
        width="${round(step * 0.76)}"
        height="${round(room + top - yOf(visitors))}"
      />
      ${isLabelled && html`<text x="${round(x + step / 2)}" y="${height - 6}" text-anchor="middle">${word}</text>`}
    </g>`
  })
  return html`<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${lines} ${columns}</svg>`
}

/** A share of the most, as a bar in a table. The number stands beside it. */
export const shareBar = (count: number, most: number): Html =>
  html`<svg class="share" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    <rect width="${round((100 * count) / Math.max(1, most))}" height="6" />
  </svg>`

/** The end of the scale: 2, 4, 6, 8, 10, 20, 30, … so that its half is a whole number. */
function niceMost(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)))
  const ends = [1, 2, 3, 4, 5, 6, 8, 10].map((times) => times * power)
  return ends.find((end) => end >= most && end % 2 === 0) ?? 2 * power
}

const round = (value: number): number => Math.round(value * 10) / 10
