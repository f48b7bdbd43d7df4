import { onMigratedFile } from "@leadloom/testkit/MigratedFile"
import * as Store from "../src/Store.ts"

export { temporaryFile } from "@leadloom/testkit/MigratedFile"

/** A store on a temporary file. */
export const temporaryStore = onMigratedFile((url) => Store.layer({ url }))
