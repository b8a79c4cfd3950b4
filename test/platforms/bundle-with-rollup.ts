/** `node bundle-with-rollup.ts <entry> <folder>`, with the plugins that Rollup needs for packages. */
import { basename } from 'node:path'
import commonjs from '@rollup/plugin-commonjs'
import json from '@rollup/plugin-json'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { rollup } from 'rollup'

const [entry = '', folder = ''] = process.argv.slice(2)
const plugins = [nodeResolve({ preferBuiltins: true, exportConditions: ['node'] }), commonjs(), json()]
const bundle = await rollup({ input: entry, plugins, onwarn: () => {} })
await bundle.write({ dir: folder, format: 'esm', entryFileNames: basename(entry) })
await bundle.close()
