const unit = (name: string): Intl.NumberFormat =>
  new Intl.NumberFormat("en", { style: "unit", unit: name, maximumFractionDigits: 0 })

const [kilobytes, megabytes] = [unit("kilobyte"), unit("megabyte")]

/** Returns a number of bytes in kilobytes or megabytes, for example `25 MB`. */
export const bytesText = (bytes: number): string =>
  bytes < 1_000_000 ? kilobytes.format(Math.ceil(bytes / 1_000)) : megabytes.format(Math.floor(bytes / 1_000_000))
