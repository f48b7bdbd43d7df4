/**
 * The interface of all benchmarks in `packages/<package>/bench`. `.scripts/bench.ts` runs and prints them. Measured code
 * does not belong here.
 */

/** `smallest` only shows that a benchmark still works, `small` takes seconds, `full` gives the published figures. */
export const benchSizes = ["smallest", "small", "full"] as const
export type BenchSize = (typeof benchSizes)[number]

/** A measured value, or a table of them. */
export type Figure =
  | number
  | string
  | boolean
  | null
  | ReadonlyArray<Figure>
  | { readonly [name: string]: Figure | undefined }

/** The result of a run. A check is false if the run did something wrong. Speed is a figure and never a check. */
export interface BenchResult {
  readonly figures: Readonly<Record<string, Figure>>
  readonly checks: Readonly<Record<string, boolean>>
}

/** A benchmark. */
export interface Bench {
  /** The name of its file. */
  readonly name: string
  /** One sentence. */
  readonly purpose: string
  /** The names of its arguments, for example `[mails] [rounds]`. */
  readonly usage: string
  /** The arguments of each size. An argument on the command line replaces the one of `full` at its position. */
  readonly sizes: Readonly<Record<BenchSize, ReadonlyArray<string | number>>>
  /** Returns what the machine lacks, or null. A benchmark that lacks something is skipped. */
  readonly missing?: () => string | null
  /** Progress is printed to standard error. Rejects if the benchmark could not run. */
  readonly run: (args: ReadonlyArray<string>) => Promise<BenchResult>
}

/** Returns the arguments of a size, replaced by the given ones from the left. */
export const argumentsOf = (
  bench: Bench,
  size: BenchSize,
  given: ReadonlyArray<string> = []
): ReadonlyArray<string> => {
  const defaults = bench.sizes[size].map(String)
  return [...given, ...defaults.slice(given.length)]
}

/** Returns the numeric argument at a position. */
export const numberAt = (args: ReadonlyArray<string>, position: number): number => {
  const value = Number(args[position] ?? Number.NaN)
  if (!Number.isFinite(value))
    throw new Error(`argument ${position + 1} is not a number: ${args[position] ?? "missing"}`)
  return value
}

/** Returns the argument at a position, or an empty string. */
export const argumentAt = (args: ReadonlyArray<string>, position: number): string => args[position] ?? ""

/** Returns the comma-separated values of the argument at a position. */
export const listAt = (args: ReadonlyArray<string>, position: number): ReadonlyArray<string> =>
  argumentAt(args, position)
    .split(",")
    .filter((value) => value !== "")

/** Prints progress. Standard output carries results only. */
export const progress = (line: string): void => void process.stderr.write(`${line}\n`)
