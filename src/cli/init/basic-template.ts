import type { Template } from './template.ts'

/** Tools, a pipeline and a person, without anything else. */
export const basicTemplate: Template = {
  summary: 'tools and a pipeline, called from a program and from the command line',
  dependencies: {},
  devDependencies: {},
  scripts: {},
  files: () => ({ 'src/main.ts': MAIN }),
  readme:
    () => `\`npm start\` refunds an order. On a terminal it asks you first; without one, as in CI, the refund is approved by itself. \`npm start -- small@example.com\` refunds a small order and asks nobody.
`,
}

const MAIN = `import { autoReview, consoleReview } from 'toolwright'
import { refundLatestOrder } from './refund-latest-order.ts'

// A person decides on the terminal. Without one, the refund is approved by itself: change that before real money moves.
const review = process.stdin.isTTY ? consoleReview() : autoReview()
const email = process.argv[2] ?? 'ada@example.com'

const result = await refundLatestOrder.call({ email }, { review, deadline: '5m' })
console.log(result.text)
if (!result.ok) process.exitCode = 1
`
