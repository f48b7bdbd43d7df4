import { examine } from "./Doctor.ts"

/**
 * The program of the process that examines the deployment of a running server. Its environment is that of the server. It
 * writes the findings to standard output as JSON.
 */
process.stdout.write(JSON.stringify(await examine(process.env)))
