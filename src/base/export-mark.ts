// The mark of an export of a whole site.

/** The file by which a folder or an archive is recognised as an export of a whole site. */
export const markName = 'postern.yaml'
