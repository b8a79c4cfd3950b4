export { drawRun, type DrawRunOptions } from './view/run-timeline.ts'
