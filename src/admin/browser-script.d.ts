// A module for the browser as text. `scripts/build.mjs` builds and minifies it.
declare module '*?browser' {
  const text: string
  export default text
}
