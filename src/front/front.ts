// The supported web servers: the files of each, their places, and the commands that activate them.

import { apacheFiles } from './apache-file.ts'
import { caddyFiles } from './caddy-file.ts'
import type { FrontFile, FrontOptions, Templates } from './front-options.ts'
import { nginxFiles, nginxPaths } from './nginx-files.ts'

export interface Front {
  readonly files: (options: FrontOptions, templates: Templates) => readonly FrontFile[]
  /** The paths of all files that any site may have. The files that this site lacks are deleted, because they would conflict. */
  readonly paths: readonly string[]
  /** The folder of its logs on Debian. */
  readonly logs: string
  /** The commands that install the files of this folder, check them, and reload the server. */
  readonly install: (folder: string) => readonly [string, string, string]
  /** The possible conflict with the files, if there is one. */
  readonly note: string
}

/** The web servers by their names on the command line. */
export const fronts: Readonly<Record<'nginx' | 'apache' | 'caddy', Front>> = {
  nginx: {
    files: nginxFiles,
    paths: nginxPaths,
    logs: '/var/log/nginx',
    install: (folder) => [`sudo cp -r ${folder}/. /etc/nginx/`, 'sudo nginx -t', 'sudo systemctl reload nginx'],
    note: 'Where nginx -t finds a duplicate default server: sudo rm /etc/nginx/sites-enabled/default, or conf.d/postern-unknown-hosts.conf.',
  },
  apache: {
    files: apacheFiles,
    paths: ['sites-available/postern.conf'],
    logs: '/var/log/apache2',
    install: (folder) => [
      `sudo cp ${folder}/sites-available/postern.conf /etc/apache2/sites-available/`,
      'sudo a2enmod proxy proxy_http headers setenvif ssl http2 && sudo a2ensite postern && sudo apachectl configtest',
      'sudo systemctl reload apache2',
    ],
    note: '',
  },
  caddy: {
    files: caddyFiles,
    paths: ['Caddyfile'],
    logs: '/var/log/caddy',
    install: (folder) => [
      `sudo cp ${folder}/Caddyfile /etc/caddy/Caddyfile`,
      'sudo caddy validate --config /etc/caddy/Caddyfile',
      'sudo systemctl reload caddy',
    ],
    note: 'Where /etc/caddy/Caddyfile has other sites already, append to it instead.',
  },
}
