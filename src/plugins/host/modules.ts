// Loads a plugin's modules. `import` and `import()` find only files in its folder and the modules in `builtins.ts`.

import { readFileSync, realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import vm from 'node:vm'
import { builtinNames, findBuiltin } from './builtins.ts'

type Attributes = Readonly<Record<string, string | undefined>>

/** Loads and runs a module. @param main its path, relative to the folder @throws Error with a message for the plugin's author */
export async function loadModule(folder: string, main: string): Promise<Readonly<Record<string, unknown>>> {
  const loader = new Loader(realpathSync.native(folder))
  return (await loader.import(pathToFileURL(join(loader.folder, main)).href)).namespace as Readonly<Record<string, unknown>>
}

class Loader {
  readonly folder: string
  readonly #known = new Map<string, vm.Module>()

  constructor(folder: string) {
    this.folder = folder
  }

  /** Loads, links and runs the module with this URL. */
  async import(address: string, attributes: Attributes = {}): Promise<vm.Module> {
    return this.#evaluated(this.#fileModule(address, attributes))
  }

  async #evaluated(module: vm.Module): Promise<vm.Module> {
    if (module.status === 'unlinked')
      await module.link((specifier, from, extra) => this.#find(specifier, from.identifier, attributesOf(extra)))
    await module.evaluate()
    return module
  }

  #find(specifier: string, from: string, attributes: Attributes): vm.Module {
    if (/^\.\.?\//.test(specifier)) return this.#fileModule(new URL(specifier, from).href, attributes)
    const known = this.#known.get(specifier)
    if (known !== undefined) return known
    const exports = findBuiltin(specifier)
    if (exports === undefined) throw new Error(notAllowed(specifier))
    return this.#keep(specifier, synthetic(specifier, exports))
  }

  #fileModule(address: string, attributes: Attributes): vm.Module {
    const path = this.#within(address)
    const identifier = pathToFileURL(path).href
    return this.#known.get(identifier) ?? this.#keep(identifier, this.#read(path, identifier, attributes))
  }

  #read(path: string, identifier: string, attributes: Attributes): vm.Module {
    const text = readFileSync(path, 'utf8')
    if (attributes['type'] === 'json') return synthetic(identifier, { default: JSON.parse(text) as unknown })
    if (!/\.m?js$/.test(path))
      throw new Error(`${this.#shown(path)} can't be imported: modules end in .js or .mjs, and JSON needs with { type: 'json' }.`)
    return new vm.SourceTextModule(text, {
      identifier,
      initializeImportMeta: (meta) => {
        meta.url = identifier
        meta.filename = path
        meta.dirname = join(path, '..')
      },
      importModuleDynamically: (specifier: string, _module: unknown, attributes: unknown) =>
        this.#evaluated(this.#find(specifier, identifier, attributes as Attributes)),
    })
  }

  /** The real path of a file in the plugin's folder. */
  #within(address: string): string {
    const named = fileURLToPath(address)
    let path: string
    try {
      path = realpathSync.native(named)
    } catch {
      throw new Error(`There is no file ${this.#shown(named)} that this plugin may import.`)
    }
    if (!path.startsWith(this.folder + sep)) throw new Error(`${this.#shown(named)} lies outside the plugin's folder.`)
    return path
  }

  #shown(path: string): string {
    return relative(this.folder, path)
  }

  #keep(name: string, module: vm.Module): vm.Module {
    this.#known.set(name, module)
    return module
  }
}

/** The import attributes. Node 20 and 24 name this member differently. */
function attributesOf(extra: object): Attributes {
  return ('attributes' in extra ? extra.attributes : {}) as Attributes
}

function synthetic(identifier: string, exports: Readonly<Record<string, unknown>>): vm.Module {
  const names = Object.keys(exports)
  return new vm.SyntheticModule(
    names,
    function (this: vm.SyntheticModule) {
      for (const name of names) this.setExport(name, exports[name])
    },
    { identifier },
  )
}

function notAllowed(specifier: string): string {
  return `A plugin can't import ${JSON.stringify(specifier)}. It may import its own files by relative names (./x.js), and of Node: ${builtinNames.join(', ')}.`
}
