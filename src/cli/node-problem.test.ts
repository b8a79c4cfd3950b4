import { join } from 'node:path'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../../scripts/run-program.ts'
import { nodeBeside, nodeProblem } from './node-problem.ts'

test.each(['18.20.0', '20.20.2', '22.18.9'])('Node %s is too old, and the user is told which one is needed', (version) => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly engines: { readonly node: string } }
  const oldest = engines.node.replace('>=', '')
  expect(nodeProblem(version)).toMatch(`Toolwright needs Node ${oldest} or newer; this is Node ${version}.\nInstall one, or`)
})

test.each(['22.19.0', '23.0.0', '24.21.0', '100.0.0'])('Node %s is new enough', (version) => {
  expect(nodeProblem(version)).toBeUndefined()
})

test('a project that has a newer Node is not told to install one, but how to use it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-node-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const program = pathToFileURL(join(folder, 'node_modules/toolwright/dist/cli/main.js')).href
  expect(nodeBeside(program)).toBeUndefined()
  mkdirSync(join(folder, 'node_modules/node'), { recursive: true })
  for (const [version, told] of [
    ['24.21.0', 'This project has Node 24.21.0. Its npm scripts and npx use it: npx toolwright'],
    ['20.1.0', 'npm install --save-dev node@24'],
    ['\u001B[31m', 'npm install --save-dev node@24'],
  ] as const) {
    writeFileSync(join(folder, 'node_modules/node/package.json'), JSON.stringify({ version }))
    expect(nodeProblem('20.20.2', { own: nodeBeside(program) })).toContain(told)
  }
})
