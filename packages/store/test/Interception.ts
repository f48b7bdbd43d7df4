import { Effect } from "effect"
import type { Connection } from "effect/sql/SqlConnection"
import { classifySqliteError, SqlError } from "effect/sql/SqlError"
import { Database } from "../src/Database.ts"

/** Answers a statement in place of the database; null runs it. */
export type Intercept = (text: string) => Effect.Effect<ReadonlyArray<never>, SqlError> | null

/** Returns an error as the driver throws it. */
export const driverError = (code: string): SqlError =>
  new SqlError({ reason: classifySqliteError(Object.assign(new Error("simulated"), { code })) })

/** Passes every statement of the database to a function before it runs. Returns the texts that ran. */
export const intercept = (before: Intercept = () => null): Effect.Effect<Array<string>, SqlError, Database> =>
  Effect.flatMap(Database, ({ reader, sql }) =>
    Effect.scoped(
      Effect.map(sql.reserve, (writer) => {
        const passed: Array<string> = []
        const watch = (connection: Connection): void => {
          const { execute } = connection
          const watched: typeof execute = (text, params, transform) =>
            Effect.suspend(() => {
              passed.push(text)
              return before(text) ?? execute(text, params, transform)
            })
          Object.assign(connection, { execute: watched })
          // Every statement then runs through `execute`.
          Reflect.deleteProperty(connection, "executeNow")
        }
        watch(writer)
        if (reader !== null) watch(reader)
        return passed
      })
    )
  )
