const units = ["B", "KiB", "MiB", "GiB", "TiB"] as const

/** Formats a number of bytes for people. */
export const sizeText = (bytes: number): string => {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1_024 ** step
  return `${value >= 100 || step === 0 ? Math.round(value) : value.toFixed(1)} ${units[step]}`
}
