// The types of the package are those of its main entry.
declare module 'css-tree/dist/csstree.esm' {
  export * from 'css-tree'
}
