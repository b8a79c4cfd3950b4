import { autoReview, consoleReview } from 'toolwright'
import { tellRefundStory } from './story.ts'

// Whoever reads may stop reading: `npm start | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

const atTerminal = process.stdin.isTTY && process.stdout.isTTY && !process.argv.includes('--once')
const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

if (!atTerminal) print('(Nobody is at the terminal, so the refund is approved by itself.)')
await tellRefundStory({ print, review: atTerminal ? consoleReview() : autoReview() })
