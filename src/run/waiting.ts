/** Pauses that grow, for trying again while a database is away. */
export function growingPause(firstMs = 50, longestMs = 2000): () => Promise<void> {
  let next = firstMs
  return () => {
    const ms = next
    next = Math.min(longestMs, ms * 2)
    return new Promise((resolve) => setTimeout(resolve, ms))
  }
}

/** Resolves when the work has ended, however it ended, and at the latest when the time is over. */
export async function within(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))
  await Promise.race([work.catch(() => {}), late])
  clearTimeout(timer)
}
