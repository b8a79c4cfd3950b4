/** Resolves when the work has ended, however it ended, and at the latest when the time is over. */
export async function within(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))
  await Promise.race([work.catch(() => {}), late])
  clearTimeout(timer)
}
