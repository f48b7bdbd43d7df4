import { Macro, MacroNotFound } from "@leadloom/core/internal/domain/rule/Macro"
import { Macros } from "@leadloom/core/internal/port/repository/conversation/Macros"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { table } from "../../sql/Table.ts"

const macros = table(Macro, { name: "macros", key: ["tenantId", "macroId"] })

/** Stores macros in SQL. */
export const layer: Layer.Layer<Macros, never, Database> = Layer.effect(
  Macros,
  Effect.map(Database, (database) => {
    const { command } = database
    const read = macros.reading(database)
    const insert = command(macros.insert)
    const update = command(macros.replace)
    const remove = command("DELETE FROM macros WHERE tenant_id = ? AND macro_id = ?")
    const find = read.one(`SELECT ${macros.columns} FROM macros WHERE tenant_id = ? AND macro_id = ?`)
    const list = read.all(`SELECT ${macros.columns} FROM macros WHERE tenant_id = ? ORDER BY macro_id`)
    return Macros.of({
      insert: (macro) => insert(...macros.values(macro)),
      get: Effect.fnUntraced(function* (tenantId, macroId) {
        return (yield* find(tenantId, macroId)) ?? (yield* new MacroNotFound({ macroId }))
      }),
      update: (macro) => update(...macros.changes(macro)),
      remove,
      list
    })
  })
)
