import { expectTypeOf, test } from 'vitest'
import { createRuntime } from '../../runtime/create-runtime.ts'
import { tool } from '../tool.ts'
import type { Policy, PolicyCall, PolicyVerdict } from './policy.ts'

const echo = tool({ name: 'echo', description: 'd', effect: 'read', execute: (input) => input })

test('a policy answers at once or later, and needs no `as const`', () => {
  createRuntime({ policy: async () => 'allow' })
  createRuntime({ policy: () => 'allow' })
  void echo.call('x', { policy: async () => 'require_approval' })
  createRuntime({ policy: ({ effect }) => (effect === 'read' ? 'allow' : { deny: 'no' }) })
  createRuntime({
    policy: async ({ effect }) => {
      if (effect === 'read') return 'allow'
      return { requireApproval: 'It takes effect.' }
    },
  })
  createRuntime({ policy: (call) => (call.tool === 'a' ? Promise.resolve('allow') : 'allow') })
  const policy: Policy = async () => 'allow'
  const declared = async (_call: PolicyCall): Promise<PolicyVerdict> => 'allow'
  createRuntime({ policy }).call(echo, 'x', { policy: declared })
  expectTypeOf(policy).returns.toExtend<PolicyVerdict | Promise<PolicyVerdict>>()
})

test('anything but a verdict is refused, also later', () => {
  // @ts-expect-error 'alow' is no verdict
  createRuntime({ policy: async () => 'alow' })
  // @ts-expect-error 'alow' is no verdict
  createRuntime({ policy: () => 'alow' })
  // @ts-expect-error the action of a reviewer is no verdict
  createRuntime({ policy: () => ({ action: 'deny' }) })
  // @ts-expect-error a policy must say something
  createRuntime({ policy: async () => undefined })
  // @ts-expect-error a call has no such field
  createRuntime({ policy: (call) => call.nope })
})
