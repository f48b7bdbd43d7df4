import { copyFileSync } from "node:fs"

/** Where a SQLite file is that has the tables of this version and nothing else. */
export const templateVariable = "LEADLOOM_TEST_SQLITE_TEMPLATE"

/**
 * Puts a SQLite file with the tables of this version where a store will look for its own, if the run has made one to copy.
 * For tests that are about something else than how the tables came about.
 */
export const placeMigratedFile = (filename: string): void => {
  const template = process.env[templateVariable]
  if (template !== undefined) copyFileSync(template, filename)
}
