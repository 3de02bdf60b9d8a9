// The id of the first mark of a change, to which a link leads. It stands apart from `marked-html.ts`, so that a start loads no
// comparison.
export const firstMark = 'first-change'
