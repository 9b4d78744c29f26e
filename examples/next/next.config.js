/** Packages that read files of their own are not to be bundled. */
export default { serverExternalPackages: ['fastify-task-dashboard'] }
