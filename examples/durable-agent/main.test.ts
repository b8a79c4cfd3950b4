import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runProgram } from '../../scripts/run-program.ts'
import { importFlags } from '../../test/fixtures/prepared.ts'

test(
  'an agent that is killed goes on at another worker, parks at a gate and ends; each turn is paid for once [T18]',
  { timeout: 90_000 },
  async () => {
    const { code, stdout, stderr } = await runProgram('node', [...importFlags, join(import.meta.dirname, 'main.ts')])
    expect(code, stderr).toBe(0)
    expect(stdout.trim().split('\n')).toEqual([
      'killed in the middle of find_orders: the model was asked 1 time',
      'parked: refund of {"order":"A-7"}; the model was asked 2 times',
      'Order A-7 is paid back. 3 turns, 3 model calls, 1 refund',
    ])
  },
)
