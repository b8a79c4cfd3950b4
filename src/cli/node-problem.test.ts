import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/run-program.ts'
import { nodeProblem } from './node-problem.ts'

test.each(['18.20.0', '20.20.2', '22.18.9'])('Node %s is too old, and the user is told which one is needed', (version) => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly engines: { readonly node: string } }
  const oldest = engines.node.replace('>=', '')
  expect(nodeProblem(version)).toMatch(`Toolwright needs Node ${oldest} or newer; this is Node ${version}.\nInstall one, or`)
})

test.each(['22.19.0', '23.0.0', '24.21.0', '100.0.0'])('Node %s is new enough', (version) => {
  expect(nodeProblem(version)).toBeUndefined()
})
