/** A duration to read: `0.4 ms`, `80 ms`, `1.25 s`, `5 s`, `2 m 05 s`, `3 h 07 m`. */
export function durationText(ms: number): string {
  if (ms < 9.95) return `${rounded(ms, 1)} ms`
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_995) return `${rounded(ms / 1000, 2)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ${twoDigits(seconds % 60)} s`
  const minutes = Math.round(ms / 60_000)
  return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} m`
}

function rounded(value: number, places: number): number {
  return Number(value.toFixed(places))
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
