import { tellOrderStory } from './story.ts'
import { untilInterrupted } from './until-interrupted.ts'

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

await untilInterrupted((interrupted) => tellOrderStory({ print, interrupted }))
