/** What a statement may be given. Booleans are 0 and 1, JSON is text. */
export type Param = string | number | null

/** A statement as a dialect takes it, and what becomes of its parameters. */
export interface Spelling {
  readonly text: string
  readonly bind: (params: ReadonlyArray<Param>) => ReadonlyArray<Param>
}
