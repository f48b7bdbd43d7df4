/** A parameter of a statement. A boolean is 0 or 1, and JSON is text. */
export type Param = string | number | null

/** A statement in the syntax of a dialect, with the conversion of its parameters. */
export interface Spelling {
  readonly text: string
  readonly bind: (params: ReadonlyArray<Param>) => ReadonlyArray<Param>
}
