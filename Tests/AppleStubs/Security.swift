// See README.md.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

// Types that are bridged on Apple's platforms are their Swift counterparts here, so that casts are valid in both.
public typealias CFArray = [Any]
public typealias CFData = Data
public typealias CFDictionary = [String: Any]
public typealias CFString = String
public typealias CFTypeRef = AnyObject
public typealias CFTypeID = UInt
public typealias OSStatus = Int32

public final class SecTrust {}
public final class SecCertificate {}
public final class SecIdentity {}

public let errSecSuccess: OSStatus = 0
public let kSecImportExportPassphrase: CFString = "passphrase"
public let kSecImportItemIdentity: CFString = "identity"
public let kSecImportItemCertChain: CFString = "chain"

public func CFGetTypeID(_ object: CFTypeRef?) -> CFTypeID { 0 }
public func SecIdentityGetTypeID() -> CFTypeID { 0 }
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchors: CFArray?) -> OSStatus { 0 }
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ isOnly: Bool) -> OSStatus { 0 }
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<AnyObject?>?) -> Bool { false }
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { nil }
public func SecCertificateCreateWithData(_ allocator: AnyObject?, _ data: CFData) -> SecCertificate? { nil }
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { Data() }
public func SecPKCS12Import(
  _ data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus { 0 }

// Foundation's on Apple's platforms; the open one doesn't have them.
public let NSURLAuthenticationMethodServerTrust = "server trust"
public let NSURLAuthenticationMethodClientCertificate = "client certificate"

extension URLProtectionSpace {
  public var serverTrust: SecTrust? { nil }
}

extension URLCredential {
  public convenience init(trust: SecTrust) { self.init(user: "", password: "", persistence: .none) }
  public convenience init(identity: SecIdentity, certificates: [Any]?, persistence: URLCredential.Persistence) {
    self.init(user: "", password: "", persistence: persistence)
  }
}
