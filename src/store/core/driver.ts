// Finds out if the database's native module can be loaded. Importing this file doesn't load it.

export { findDriverFault } from '../sqlite/driver.ts'
