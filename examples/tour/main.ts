import { autoReview, consoleReview } from 'toolwright'
import { tellOrderStory } from '../order-desk/story.ts'
import { untilInterrupted } from '../order-desk/until-interrupted.ts'
import { nextSteps } from '../search-extract-save/next-steps.ts'
import { guideTour } from '../search-extract-save/tour.ts'

const atTerminal = process.stdin.isTTY && process.stdout.isTTY && !process.argv.includes('--once')
const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

await untilInterrupted(async (interrupted) => {
  print('PART 1 OF 2: four tools in one call')
  if (!atTerminal) print('(Nobody is at the terminal, so the file is approved by itself.)')
  await Promise.race([guideTour({ print, review: atTerminal ? consoleReview() : autoReview() }), interrupted])
  print('\n\nPART 2 OF 2: runs that outlive their process (some 20 seconds)')
  await tellOrderStory({ print, interrupted })
  print(nextSteps)
})
