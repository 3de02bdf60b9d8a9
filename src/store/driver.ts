// Whether the module that the database needs can be loaded. Importing this file loads nothing of it.

export { findDriverFault } from './sqlite/driver.ts'
