export { drawRun, type DrawRunOptions } from './draw-run.ts'
