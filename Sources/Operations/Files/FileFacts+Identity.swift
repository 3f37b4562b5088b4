package import Evidence
package import Values

extension FileFacts {
  package var identity: FileIdentity { FileIdentity(device: device, number: inode) }
}
