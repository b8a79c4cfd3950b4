import { autoReview, consoleReview } from 'toolwright'
import { nextSteps } from './next-steps.ts'
import { guideTour } from './tour.ts'

// Whoever reads may stop reading: `npm start | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

const atTerminal = process.stdin.isTTY && process.stdout.isTTY && !process.argv.includes('--once')
const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

if (!atTerminal) print('(Nobody is at the terminal, so the file is approved by itself.)')
await guideTour({ print, review: atTerminal ? consoleReview() : autoReview() })
print(nextSteps)
