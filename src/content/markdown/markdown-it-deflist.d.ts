// The package comes without types.
declare module 'markdown-it-deflist' {
  import type MarkdownIt from 'markdown-it'
  const deflist: MarkdownIt.PluginSimple
  export default deflist
}
