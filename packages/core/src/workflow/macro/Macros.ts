/**
 * Saves, deletes and runs macros. The effects of single actions belong to `workflow/action/PerformActions.ts`. Tests:
 * `packages/testkit/src/suite/macro`.
 */
import { Clock, Effect } from "effect"
import {
  type Macro,
  type MacroFields,
  MacroInvalid,
  MacroLimitReached,
  maxMacros,
  needsRun
} from "../../domain/rule/Macro.ts"
import { ReplyTemplates } from "../../port/provider/ReplyTemplates.ts"
import { Macros } from "../../port/repository/conversation/Macros.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { recordAuditChange } from "../access/Audited.ts"
import { below, checkActions } from "../tenant/CheckConfig.ts"
import { withSpan } from "../WithSpan.ts"

/** Returns the fields of a macro that the audit trail records. */
const audited = ({ actions, macroId, name }: Macro) => ({
  macro_id: macroId,
  name,
  actions: actions.map(({ type }) => type)
})

/** Fails with `MacroInvalid` unless the macro may be saved. Checks templates like those of rules. */
const requireValid = Effect.fnUntraced(function* ({ actions, name }: MacroFields) {
  const { check } = yield* ReplyTemplates
  const issues = [
    ...(name.trim() === "" ? [{ path: "name", message: "The name is blank. Send a name." }] : []),
    ...actions.flatMap((action, position) =>
      needsRun(action)
        ? [{ path: `actions.${position}.type`, message: `Only rules can have the action ${action.type}. Remove it.` }]
        : []
    ),
    ...checkActions(actions, check).map(below("actions"))
  ]
  if (issues.length > 0) return yield* new MacroInvalid({ issues })
})

/** Creates a macro. Fails with `MacroLimitReached` when the tenant has `maxMacros`. */
export const createMacro = Effect.fnUntraced(function* (tenantId: string, fields: MacroFields) {
  const now = yield* Clock.currentTimeMillis
  const macroId = yield* (yield* Ids).next("mac")
  const macros = yield* Macros
  yield* requireValid(fields)
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      if ((yield* macros.list(tenantId)).length >= maxMacros) return yield* new MacroLimitReached({ limit: maxMacros })
      const macro: Macro = { ...fields, tenantId, macroId, createdAt: now, updatedAt: now }
      yield* macros.insert(macro)
      yield* recordAuditChange({ before: null, after: audited(macro) })
      return macro
    })
  )
}, withSpan("createMacro"))

/** Changes a macro. An absent field stays unchanged. */
export const updateMacro = Effect.fnUntraced(function* (
  tenantId: string,
  macroId: string,
  change: Partial<MacroFields>
) {
  const now = yield* Clock.currentTimeMillis
  const macros = yield* Macros
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const before = yield* macros.get(tenantId, macroId)
      const after: Macro = { ...before, ...change, updatedAt: now }
      yield* requireValid(after)
      yield* macros.update(after)
      yield* recordAuditChange({ before: audited(before), after: audited(after) })
      return after
    })
  )
}, withSpan("updateMacro"))

/** Deletes a macro. */
export const deleteMacro = Effect.fnUntraced(function* (tenantId: string, macroId: string) {
  const macros = yield* Macros
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const before = yield* macros.get(tenantId, macroId)
      yield* macros.remove(tenantId, macroId)
      yield* recordAuditChange({ before: audited(before), after: null })
    })
  )
}, withSpan("deleteMacro"))
