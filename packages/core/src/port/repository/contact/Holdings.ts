import { Context } from "effect"
import type { HoldingsShape } from "./HoldingsShape.ts"

/**
 * Everything that is kept for a tenant about the people who write to it, row by row and by kind (`rights/Kinds.ts`): what
 * an archive is written from and taken in by, and what erasing takes away.
 */
export class Holdings extends Context.Service<Holdings, HoldingsShape>()("core/port/repository/contact/Holdings") {}
