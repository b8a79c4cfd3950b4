import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../scripts/run-program.ts'

interface Dependencies {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

interface Lock {
  readonly packages: Readonly<Record<string, Dependencies & { readonly resolved?: string; readonly integrity?: string }>>
}

function read<Content>(...path: readonly string[]): Content {
  return JSON.parse(readFileSync(join(root, ...path), 'utf8')) as Content
}

const pinsOf = ({ dependencies = {}, devDependencies = {} }: Dependencies) => ({ ...dependencies, ...devDependencies })

describe.each(['.', 'bench/peers'])('the packages that %s is developed with', (folder) => {
  const pins = pinsOf(read<Dependencies>(folder, 'package.json'))
  const { packages } = read<Lock>(folder, 'package-lock.json')
  const locked = Object.entries(packages).filter(([place]) => place !== '')

  test('are pinned to exact versions', () => {
    expect(Object.entries(pins).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
    expect(Object.keys(pins)).not.toEqual([])
  })

  test('are the ones that the lock file locks, so that npm ci takes it', () => {
    expect(pinsOf(packages[''] ?? {})).toEqual(pins)
  })

  test('come from whichever registry npm is set to: the lock file names none', () => {
    expect(locked.flatMap(([place, { resolved }]) => (resolved === undefined ? [] : `${place}: ${resolved}`))).toEqual([])
  })

  test('are what was locked: each has its hash', () => {
    expect(locked.flatMap(([place, { integrity }]) => (integrity === undefined ? place : []))).toEqual([])
  })
})

test('the peers are measured with the zod that the tools are measured with', () => {
  const [ours, theirs] = ['.', 'bench/peers'].map((folder) => pinsOf(read<Dependencies>(folder, 'package.json'))['zod'])
  expect(theirs).toBe(ours)
})
