import { writeFile } from "node:fs/promises"
import { permissionTable } from "./PermissionTable.ts"

await writeFile(new URL("../../../console/src/app/PermissionTable.ts", import.meta.url), permissionTable())
