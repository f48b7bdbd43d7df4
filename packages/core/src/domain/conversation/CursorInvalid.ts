import { Data } from "effect"

/** The cursor is malformed, or was made for another tenant, list or filter. Start from the first page. */
export class CursorInvalid extends Data.TaggedError("CursorInvalid")<{}> {}
