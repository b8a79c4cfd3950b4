import type { NewProject } from './template.ts'

/** The files that every template has: two tools, a pipeline with a gate, its test and the settings. */
export function sharedFiles({ name }: NewProject): Readonly<Record<string, string>> {
  return {
    'src/find-order.ts': FIND_ORDER,
    'src/issue-refund.ts': ISSUE_REFUND,
    'src/refund-latest-order.ts': REFUND_LATEST_ORDER,
    'test/refund-latest-order.test.ts': TEST,
    'toolwright.config.ts': configOf(name),
    'tsconfig.json': TSCONFIG,
    '.gitignore': 'node_modules\n*.log\n.env\n',
  }
}

const FIND_ORDER = `import { tool } from 'toolwright'
import { z } from 'zod'

export const findOrder = tool({
  name: 'find_order',
  description: 'Finds the latest order of a customer.',
  inputSchema: z.object({ email: z.email().describe('The customer') }),
  outputSchema: z.object({ id: z.string(), total: z.number().positive() }),
  effect: 'read',
  // Ask your own shop here.
  execute: ({ email }) => ({ id: \`order-of-\${email}\`, total: email.startsWith('small') ? 20 : 149.99 }),
})
`

const ISSUE_REFUND = `import { tool } from 'toolwright'
import { z } from 'zod'

export const issueRefund = tool({
  name: 'issue_refund',
  description: 'Pays an order back.',
  inputSchema: z.object({ orderId: z.string(), amount: z.number().positive() }),
  effect: 'irreversible',
  idempotent: 'keyed', // give the key to your bank, and a repeated call pays once
  execute: ({ orderId, amount }, { idempotencyKey }) => {
    if (idempotencyKey === '') throw new Error('A payment needs a key.')
    return \`Refunded \${amount} for \${orderId}.\`
  },
})
`

const REFUND_LATEST_ORDER = `import { gate, ToolPipeline } from 'toolwright'
import { findOrder } from './find-order.ts'
import { issueRefund } from './issue-refund.ts'

/** Two tools as one. Above 100, a person decides before money leaves. */
export const refundLatestOrder = ToolPipeline.builder()
  .name('refund_latest_order')
  .description('Refunds the latest order of a customer.')
  .step(findOrder)
  .adapter(({ value }) => ({ orderId: value.id, amount: value.total }))
  .step(gate(issueRefund, { approval: ({ amount }) => amount > 100, why: 'A refund above 100.' }))
  .build()
`

const TEST = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { check } from 'toolwright'
import { recordingReview } from 'toolwright/testing'
import { refundLatestOrder } from '../src/refund-latest-order.ts'

test('a large refund is paid when a person approves it', async () => {
  const review = recordingReview({ action: 'continue' })
  const result = await refundLatestOrder.call({ email: 'ada@example.com' }, { review })
  assert.equal(result.text, 'Refunded 149.99 for order-of-ada@example.com.')
  assert.deepEqual(review.requests.map(({ tool, why }) => [tool, why]), [['issue_refund', 'A refund above 100.']])
})

test('a rejected refund is not paid', async () => {
  const review = recordingReview({ action: 'reject', reason: 'too much' })
  const result = await refundLatestOrder.call({ email: 'ada@example.com' }, { review })
  assert.equal(result.ok, false)
  assert.match(result.text, /too much/)
})

test('a small refund asks nobody', async () => {
  const review = recordingReview()
  const result = await refundLatestOrder.call({ email: 'small@example.com' }, { review })
  assert.equal(result.text, 'Refunded 20 for order-of-small@example.com.')
  assert.equal(review.requests.length, 0)
})

test('the pipeline has no mistakes that can be found before it runs', () => {
  assert.deepEqual(check(refundLatestOrder).filter(({ severity }) => severity === 'error'), [])
})
`

function configOf(name: string): string {
  return `import { defineConfig } from 'toolwright'
import { findOrder } from './src/find-order.ts'
import { refundLatestOrder } from './src/refund-latest-order.ts'

// The command \`toolwright\` finds the tools here: list, call, check, serve, run.
export default defineConfig({
  name: ${JSON.stringify(name)},
  version: '0.1.0',
  tools: [findOrder, refundLatestOrder],
  deadline: '5m',
})
`
}

const TSCONFIG = `{
  "compilerOptions": {
    "target": "es2024",
    "module": "nodenext",
    "types": ["node"],
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "noEmit": true,
    "skipLibCheck": true,
    "allowImportingTsExtensions": true,
    "erasableSyntaxOnly": true,
    "verbatimModuleSyntax": true
  },
  "include": ["src", "test", "toolwright.config.ts"]
}
`
