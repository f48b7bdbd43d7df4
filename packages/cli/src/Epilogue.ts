import { defaultUrl } from "./Connection.ts"

/** The environment variables of the command line. */
export const environmentVariables: ReadonlyArray<readonly [name: string, meaning: string]> = [
  ["LEADLOOM_URL", `the server (default ${defaultUrl})`],
  ["LEADLOOM_ADMIN_KEY", "the operator's key"],
  ["LEADLOOM_API_KEY", "a tenant's key"],
  ["LEADLOOM_ACTING_USER", "the user for whom an API key acts"],
  ["LEADLOOM_TENANT", "the default of --tenant in commands from the contract"]
]

/** The meanings of `exitCodes`. */
export const exitMeanings: ReadonlyArray<readonly [code: number, meaning: string]> = [
  [0, "success"],
  [1, "failure"],
  [2, "wrong usage"],
  [3, "server unreachable"],
  [4, "not authorised"],
  [5, "not found"],
  [6, "conflict"],
  [7, "rate limited"],
  [130, "interrupted"]
]

const list = (from: number, to: number): string =>
  exitMeanings
    .slice(from, to)
    .map(([code, meaning]) => `${code} ${meaning}`)
    .join(", ")

/** The end of the help of the program. */
export const epilogue = `
Environment:
${environmentVariables.map(([name, meaning]) => `  ${name.padEnd(20)}  ${meaning}`).join("\n")}

Exit codes:
  ${list(0, 5)},
  ${list(5, 9)}`
