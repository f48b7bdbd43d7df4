/** A parameter of a statement. Booleans are 0 and 1, JSON is text. */
export type Param = string | number | null

/** A statement in the syntax of a dialect, with the conversion of its parameters. */
export interface Spelling {
  readonly text: string
  readonly bind: (params: ReadonlyArray<Param>) => ReadonlyArray<Param>
}
