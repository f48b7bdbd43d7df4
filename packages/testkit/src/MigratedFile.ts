import { copyFileSync } from "node:fs"

/** The variable with the path of a SQLite file that has all tables of this version and no rows. */
export const templateVariable = "LEADLOOM_TEST_SQLITE_TEMPLATE"

/**
 * Copies the migrated SQLite file to the path of a new store, if the run has prepared one. Tests of migrations must not
 * use it.
 */
export const placeMigratedFile = (filename: string): void => {
  const template = process.env[templateVariable]
  if (template !== undefined) copyFileSync(template, filename)
}
