const works: (() => Promise<void>)[] = []

/** Does something when the command has ended, before the process does. */
export function atEnd(work: () => Promise<void>): void {
  works.push(work)
}

/** Does all of it, the last one first. A failure of one does not keep the others from it. */
export async function endAll(): Promise<void> {
  for (const work of works.splice(0).toReversed()) await work().catch(() => {})
}
