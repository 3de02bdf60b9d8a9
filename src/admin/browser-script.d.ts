// A module for the browser, built and minified, as text: `scripts/build.mjs` sees to it.
declare module '*?browser' {
  const text: string
  export default text
}
