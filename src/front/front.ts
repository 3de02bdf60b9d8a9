// The web servers that may stand in front of a site: what each is given, where, and how it takes it.

import { apacheFiles } from './apache-file.ts'
import { caddyFiles } from './caddy-file.ts'
import type { FrontFile, FrontOptions, Templates } from './front-options.ts'
import { nginxFiles, nginxPaths } from './nginx-files.ts'

export interface Front {
  readonly files: (options: FrontOptions, templates: Templates) => readonly FrontFile[]
  /** Of all files that it may be given: what a site has none of would be in the way. */
  readonly paths: readonly string[]
  /** Where its logs are on Debian. */
  readonly logs: string
  /** What puts the files of this folder in their place, holds them for right, and has them take effect. */
  readonly install: (folder: string) => readonly [string, string, string]
  /** What may be in the way, if anything. */
  readonly note: string
}

/** By their names on the command line. */
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
