/** Bundles a program as a user would, with the usual settings of each bundler: `node bundle.ts <bundler> <entry> <folder>` writes `main.mjs` there. */
import { basename, dirname, extname, join } from 'node:path'

type Bundle = (entry: string, folder: string) => Promise<void>

const BUNDLERS: Readonly<Record<string, Bundle>> = {
  esbuild: async (entry, folder) => {
    const { build } = await import('esbuild')
    const { warnings } = await build({
      entryPoints: [entry],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: join(folder, 'main.mjs'),
      logLevel: 'silent',
      // CommonJS packages such as pg ask for Node's modules by `require`, which an ES module does not have: docs/guides/deployment.md.
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
    })
    for (const { text } of warnings) console.log(text)
  },
  rolldown: async (entry, folder) => {
    const { rolldown } = await import('rolldown')
    const bundle = await rolldown({ input: entry, platform: 'node', logLevel: 'silent' })
    await bundle.write({ dir: folder, format: 'esm', entryFileNames: 'main.mjs' })
    await bundle.close()
  },
  vite: async (entry, folder) => {
    const { build } = await import('vite')
    await build({
      configFile: false,
      root: dirname(entry),
      logLevel: 'error',
      ssr: { noExternal: true },
      build: { ssr: basename(entry), outDir: folder, rollupOptions: { output: { entryFileNames: 'main.mjs' } } },
    })
  },
  webpack: async (entry, folder) => {
    const { default: webpack } = await import('webpack')
    const compiler = webpack({
      mode: 'production',
      target: 'node22',
      context: dirname(entry),
      entry: `./${basename(entry)}`,
      // Only time is saved.
      optimization: { minimize: false },
      experiments: { outputModule: true },
      output: { path: folder, filename: 'main.mjs', chunkFormat: 'module', library: { type: 'module' } },
    })
    const stats = await new Promise<{ readonly hasErrors: () => boolean; readonly toString: (options: object) => string }>(
      (resolve, reject) =>
        compiler.run((error, done) => (done === undefined ? reject(error ?? new Error('webpack gave nothing')) : resolve(done))),
    )
    if (stats.hasErrors()) throw new Error(stats.toString({ all: false, errors: true }))
  },
}

const [name = '', entry = '', folder = ''] = process.argv.slice(2)
const bundle = BUNDLERS[name]
if (bundle === undefined || extname(entry) === '') throw new Error(`node bundle.ts ${Object.keys(BUNDLERS).join('|')} <entry> <folder>`)
await bundle(entry, folder)
