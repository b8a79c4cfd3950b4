/** Repair of inputs without a model: `toolwright/repair`. */
export { repairInput, type InputRepair, type RefusedInput, type RepairedInput, type RepairHints } from './repair-input.ts'
export type { RepairChange } from './reading.ts'
